SwaggerUIBundle({
  url: "/openapi.yaml",
  dom_id: "#docs",
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  validatorUrl: null,
});
