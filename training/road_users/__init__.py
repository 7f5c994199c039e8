"""The road-user detector: network, training, export and measuring."""
