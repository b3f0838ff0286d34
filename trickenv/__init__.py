"""Trick-taking card games as reinforcement-learning environments."""
