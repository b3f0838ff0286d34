"""Environments: PettingZoo, Gymnasium and Stable-Baselines3 adapters of the engine."""
