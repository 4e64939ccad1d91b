"""What a stall is: pure functions over values. No Kafka, no clock, no I/O, no logging."""
