"""Chats written from templates, for fitting the ranker of recall. Nothing here runs in the bot itself."""
