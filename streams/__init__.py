"""The Kafka pipeline: settings, topics, codec, worker, metrics. Above `detectors`, below `stallwatch`."""
