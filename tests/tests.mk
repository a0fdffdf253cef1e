# placeholder until the tests are in
check:
	@echo "0 passed, 0 failed"
