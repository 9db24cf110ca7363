"""The commands, one module each: parse what is theirs, call, print. Nothing else prints."""
