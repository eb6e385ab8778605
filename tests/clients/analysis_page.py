"""Looks at the page of an analysed game in headless Chromium, through ChromeDriver: steps through the game, clicks on the
graph and on mistakes, and takes screenshots on a wide screen and on a phone, in light and in dark.

    analysis_page.py PAGE FOLDER

PAGE is what `jitsugen analyse --html` wrote, FOLDER gets the screenshots.
"""

import base64
import json
import re
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

WIDE, PHONE = (1280, 900), (390, 844)


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class Browser:
    """A session of ChromeDriver."""

    def __init__(self, profile):
        port = free_port()
        self.driver = subprocess.Popen(
            ["chromedriver", f"--port={port}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        self.base = f"http://127.0.0.1:{port}"
        self.session = None
        arguments = [
            "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--hide-scrollbars",
            "--disable-background-networking", "--disable-component-update", "--disable-sync",
            f"--user-data-dir={profile}", "--lang=en",
        ]
        wanted = {"goog:chromeOptions": {"args": arguments}, "goog:loggingPrefs": {"browser": "ALL"}}
        deadline = time.monotonic() + 60
        while True:
            try:
                answer = self.post("/session", {"capabilities": {"alwaysMatch": wanted}})
                break
            except OSError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.2)
        self.session = f"/session/{answer['sessionId']}"

    def post(self, path, body):
        data = json.dumps(body).encode()
        request = urllib.request.Request(
            self.base + (self.session or "") + path, data, {"Content-Type": "application/json"}
        )
        with urllib.request.urlopen(request, timeout=60) as response:
            return json.load(response)["value"]

    def run(self, script):
        """The value of a JavaScript expression."""
        return self.post("/execute/sync", {"script": f"return {script}", "args": []})

    def devtools(self, command, **parameters):
        return self.post("/goog/cdp/execute", {"cmd": command, "params": parameters})

    def click(self, selector, nth=0):
        """A real click in the middle of an element."""
        elements = self.post("/elements", {"using": "css selector", "value": selector})
        name = next(iter(elements[nth].values()))
        self.post(f"/element/{name}/click", {})

    def screenshot(self, path):
        height = self.run("document.documentElement.scrollHeight")
        width = self.run("document.documentElement.clientWidth")
        clip = {"x": 0, "y": 0, "width": width, "height": height, "scale": 1}
        picture = self.devtools("Page.captureScreenshot", captureBeyondViewport=True, clip=clip)
        path.write_bytes(base64.b64decode(picture["data"]))

    def look(self, size, scheme):
        width, height = size
        self.devtools(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=size == PHONE
        )
        self.devtools("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def close(self):
        try:
            if self.session:
                urllib.request.urlopen(
                    urllib.request.Request(self.base + self.session, method="DELETE"), timeout=30
                ).close()
        finally:
            self.driver.terminate()
            self.driver.wait(30)


def ply(browser):
    return browser.run("ply")


def check(browser, page, folder):
    text = page.read_text(encoding="utf-8")
    outside = [url for url in re.findall(r"https?://[^\s\"'<>`]+", text) if url != "http://www.w3.org/2000/svg"]
    assert not outside, f"the page must not need the network: {outside}"
    assert not re.search(r"<link|\bsrc=|@import|url\((?!#)", text), "the page must not need other files"
    browser.post("/url", {"url": page.resolve().as_uri()})
    last = browser.run("last")
    moves = browser.run("game.moves.length")
    assert last == moves > 0
    assert browser.run("document.querySelectorAll('#board .piece').length") == 40, "all pieces are on the board"

    browser.click("#next")
    browser.click("#next")
    assert ply(browser) == 2
    browser.click("#back")
    assert ply(browser) == 1
    browser.click("#last")
    assert ply(browser) == last
    browser.click("#next")
    assert ply(browser) == last, "there is nothing after the end"
    browser.click("#first")
    assert ply(browser) == 0
    assert browser.run("document.querySelectorAll('#board .arrow').length") == 2, "the game's move and the engine's"

    # A click in the middle of the graph is the middle of the game.
    browser.click("#graph")
    assert abs(ply(browser) - last / 2) <= 0.1 * last + 1, ply(browser)
    mistakes = browser.run("document.querySelectorAll('#mistakes button').length")
    expected = browser.run("game.moves.filter(move => move.grade || move.missed_mate).length")
    assert mistakes == expected, (mistakes, expected)
    if mistakes:
        browser.click("#mistakes button")
        wanted = browser.run("game.moves.findIndex(move => move.grade || move.missed_mate) + 1")
        assert ply(browser) == wanted
        assert browser.run("document.querySelector('#comment .grade') !== null")
    before = browser.run("document.querySelector('#board .piece').getAttribute('y')")
    browser.click("#turn")
    assert browser.run("document.querySelector('#board .piece').getAttribute('y')") != before
    browser.click("#turn")
    assert browser.run("document.querySelectorAll('#summary tbody tr').length") == 9
    browser.click("#language")
    assert browser.run("document.documentElement.lang") == "ja"
    browser.click("#language")

    # Pictures of the middle of the game, where there are pieces in hand.
    browser.click("#graph")
    grounds = set()
    for name, size in [("wide", WIDE), ("phone", PHONE)]:
        for scheme in ["light", "dark"]:
            browser.look(size, scheme)
            grounds.add((scheme, browser.run("getComputedStyle(document.body).backgroundColor")))
            overflow = browser.run("document.documentElement.scrollWidth - document.documentElement.clientWidth")
            assert overflow <= 0, f"{name}: the page is {overflow} wider than the screen"
            if size == PHONE:
                least = browser.run(
                    "Math.min(...[...document.querySelectorAll('.controls button')].map(b => b.clientHeight))"
                )
                assert least >= 40, f"buttons of {least} are too small for a finger"
            browser.screenshot(folder / f"{name}-{scheme}.png")
    assert len(grounds) == 2, f"light and dark differ: {grounds}"
    severe = [entry for entry in browser.post("/se/log", {"type": "browser"}) if entry["level"] == "SEVERE"]
    assert not severe, severe
    print(f"{last} moves, {mistakes} mistakes: stepped through, clicked, looked at wide and narrow, light and dark")


def main():
    page, folder = Path(sys.argv[1]), Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as profile:
        browser = Browser(profile)
        try:
            check(browser, page, folder)
        finally:
            browser.close()


main()
