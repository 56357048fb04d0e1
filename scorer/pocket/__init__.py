"""The app on a phone, without network and without a server.

`bundle` builds what a phone downloads; `host` is the app inside the phone's browser.
`scorer.platforms` is the only place where server and phone differ.
"""
