"""The pocket: the same app on a phone, without network and without a server.

`bundle` puts together what a phone fetches once; `host` is the app inside the phone's browser.
What differs between a server and a phone is chosen in `scorer.runtime` and nowhere else.
"""
