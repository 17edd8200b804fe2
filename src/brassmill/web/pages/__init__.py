"""The pages: what is answered to a request. Legality, prices and words come from below."""
