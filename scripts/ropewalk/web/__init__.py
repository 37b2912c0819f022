"""A sweep as one HTML page: what is read and worked out in Python becomes a JSON object, which the JavaScript of `page/` shows."""
