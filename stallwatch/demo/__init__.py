"""A small fleet that does real work on a scratch project, some of it stuck, watched by the real worker."""
