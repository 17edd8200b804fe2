"""Browser tests ("stories"): a package, because package-scoped fixtures need one."""
