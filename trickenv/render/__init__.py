"""Drawing a table. Nothing here knows environments or agents."""
