"""Chromium without a window, and what tests ask of a page in it."""
import importlib.util
import json
import shutil
import time

CHROMIUM, DRIVER = "/usr/bin/chromium", "/usr/bin/chromedriver"
OPTIONS = ("headless", "no-sandbox", "disable-gpu", "disable-quic", "no-first-run", "disable-background-networking",
           "disable-component-update", "disable-sync", "disable-dev-shm-usage")  # fmt: skip
PATIENCE = 60  # seconds until a page that is not ready is broken


def missing():
    """What there is no browser test without and is not installed here: a text, empty if all is there."""
    absent = [name for name in (CHROMIUM, DRIVER) if shutil.which(name) is None]
    absent += [] if importlib.util.find_spec("selenium") else ["selenium"]
    return f"not installed: {', '.join(absent)}; Debian: chromium chromium-driver python3-selenium" if absent else ""


def start(profile, size=(1280, 900)):
    """A driver of a new browser that keeps what it keeps in the folder `profile`; to be quit."""
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for option in (*OPTIONS, f"window-size={size[0]},{size[1]}", f"user-data-dir={profile}"):
        options.add_argument(f"--{option}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    return webdriver.Chrome(service=Service(DRIVER), options=options)


class Page:
    """A page in a browser."""

    def __init__(self, driver, file):
        self.driver = driver
        for kind in ("browser", "performance"):
            driver.get_log(kind)  # what went before
        driver.get(file.resolve().as_uri())
        self.wait()

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def wait(self):
        """Until everything is drawn."""
        deadline = time.monotonic() + PATIENCE
        while not self.run("return document.documentElement.dataset.ready"):
            assert time.monotonic() < deadline, f"not drawn after {PATIENCE} s: {self.errors()}"
            time.sleep(0.02)

    def errors(self):
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def requests(self):
        """Addresses asked for since the page was opened, data and blobs apart, which ask no network."""
        messages = [json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance")]
        sent = [each["params"]["request"]["url"] for each in messages if each["method"] == "Network.requestWillBeSent"]
        return [url for url in sent if not url.startswith(("data:", "blob:"))]

    def text(self, selector):
        return self.run("return document.querySelector(arguments[0])?.innerText ?? null", selector)

    def texts(self, selector):
        return self.run("return [...document.querySelectorAll(arguments[0])].map((each) => each.innerText)", selector)

    def traces(self, section):
        """[{name, x, y, …}] that Plotly has drawn in a section; null values None."""
        return self.run("""return document.querySelector(`#${arguments[0]} .chart`)?.data?.map(
          ({name, x, y, z, mode, type, text, textposition, line}) =>
            ({name, x, y, z, mode, type, text, textposition, color: line?.color})) ?? null""", section)  # fmt: skip

    def layout(self, section):
        return self.run("const layout = document.querySelector(`#${arguments[0]} .chart`).layout;"
                        "return {x: layout.xaxis.type, y: layout.yaxis.type, ytitle: layout.yaxis.title.text,"
                        " xtitle: layout.xaxis.title.text, isVisible: layout.xaxis.visible !== false,"
                        " marks: (layout.annotations ?? []).map(({text}) => text)}", section)  # fmt: skip

    def boxes(self, section, selector):
        """[[left, top, right, bottom], …] in pixels of what is drawn in the chart of a section."""
        return self.run("""const found = document.querySelectorAll(`#${arguments[0]} .chart ${arguments[1]}`);
          return [...found].map((each) => each.getBoundingClientRect()).map(({left, top, right, bottom}) =>
            [left, top, right, bottom]);""", section, selector)  # fmt: skip

    def choose(self, section, label, option):
        """Chooses from a select by its label and the option's text."""
        self.run("""const [section, label, option] = arguments;
          const labels = [...document.querySelectorAll(`#${section} label`)];
          const select = labels.find((each) => each.firstChild.data.trim() === label).querySelector("select");
          select.value = [...select.options].find((each) => each.text === option).value;
          select.dispatchEvent(new Event("change"));""", section, label, option)
        self.wait()

    def tick(self, path, value):
        """Ticks or unticks the box of a setting's value."""
        self.run("""const [path, value] = arguments;
          const labels = [...document.querySelectorAll(`[data-filter="${path}"] label`)];
          labels.find((each) => each.innerText.trim() === value).querySelector("input").click();""", path, value)
        self.wait()

    def press(self, selector, text=None):
        """Clicks the element, or of several the one with that text."""
        self.run("""const [selector, text] = arguments;
          const found = [...document.querySelectorAll(selector)];
          found.find((each) => text === null || each.innerText.trim() === text).click();""", selector, text)
        self.wait()

    def rows(self):
        """[[cell, …], …] of the table of runs, opened details left out."""
        return self.run("""const rows = [...document.querySelectorAll("#runs tbody tr[data-run]")];
          return rows.map((row) => [...row.cells].map((cell) => cell.innerText));""")

    def save_picture(self, path, width):
        """The whole page as PNG."""
        self.driver.set_window_size(width, 900)
        time.sleep(1)  # the charts follow
        height = self.run("return document.documentElement.scrollHeight")
        self.driver.set_window_size(width, height + 150)
        time.sleep(1)
        self.driver.save_screenshot(str(path))
