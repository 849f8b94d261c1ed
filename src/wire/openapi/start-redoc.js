// Runs in the browser, after ReDoc: the page has no script of its own, so that it needs no leave for one.

const {Redoc, document} = /** @type {any} */ (globalThis);

Redoc.init('/api/openapi.json', {hideDownloadButton: false}, document.getElementById('docs'));
