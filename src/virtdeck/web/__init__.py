"""The console as people see it: templates, components, styles, scripts, vendored browser code,
languages. Presentation only: it is handed data and actions by the gateway, asks nobody, decides nothing."""
