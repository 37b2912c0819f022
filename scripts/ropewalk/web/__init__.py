"""A sweep as one HTML page: what Python reads and works out becomes a JSON object, which the JavaScript of `page/` shows."""
