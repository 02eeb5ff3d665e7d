"""A short form of the load, and of the many clients that receive events: see load.py."""

import unittest

import load
from harness import ServiceTest


class Load(ServiceTest):
    def test_a_service_under_load_follows_its_settings(self):
        self.needs("wrk")
        load.main(seconds=1, runs=1, clients=100)


if __name__ == "__main__":
    unittest.main()
