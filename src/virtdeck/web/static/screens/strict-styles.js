// xterm.js writes style elements and style attributes, which our Content-Security-Policy refuses as inline.
// Here they become constructed style sheets and style properties, which it allows; loaded before xterm.js.
const create = document.createElement.bind(document);
document.createElement = (name, ...rest) => {
  if (String(name).toLowerCase() !== "style") return create(name, ...rest);
  const element = create("template"); // stands where the style element would
  const sheet = new CSSStyleSheet();
  let text = "";
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  Object.defineProperty(element, "textContent", { get: () => text, set: (value) => { text = value; sheet.replaceSync(value); } });
  Object.defineProperty(element, "sheet", { get: () => sheet });
  element.remove = () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet);
    Element.prototype.remove.call(element);
  };
  return element;
};
const set = Element.prototype.setAttribute;
Element.prototype.setAttribute = function setAttribute(name, value) {
  if (name === "style") this.style.cssText = value;
  else set.call(this, name, value);
};
