"""Pictures of a page of scripts/report, whole, for looking at.

usage: screenshots.py PAGE PREFIX    writes PREFIX-1280.png and PREFIX-800.png"""
import sys
import tempfile
from pathlib import Path

import browser


def main(page, prefix):
    with tempfile.TemporaryDirectory() as profile:
        driver = browser.start(profile)
        try:
            opened = browser.Page(driver, Path(page))
            print(opened.run("return performance.getEntriesByName('drawn')[0].startTime"), "ms until drawn")
            print(*opened.errors(), sep="\n")
            for width in (1280, 800):
                opened.save_picture(Path(f"{prefix}-{width}.png"), width)
        finally:
            driver.quit()


if __name__ == "__main__":
    main(*sys.argv[1:])
