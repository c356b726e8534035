cat > test_account.py <<'END'
class Account:
    balance, is_open = 0, True

    def apply(self, event):
        if event["op"] == "close":
            self.is_open = False
        elif event["op"] == "pay in":
            assert self.is_open, "it is closed"
            self.balance += event["amount"]


def test_account(wynot):
    events = [{"op": "pay in", "amount": n, "who": "ann"} for n in range(50)]
    events[20] = {"op": "close", "amount": 0, "who": "bob"}
    account = Account()
    for event in wynot(events, "events"):
        account.apply(event)
END
