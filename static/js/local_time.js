// Shows times in this phone's time zone. Without this script, pages show the server's zone.

const FORMAT = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" };

function showTimes() {
  for (const time of document.querySelectorAll("time[datetime]")) {
    const text = new Date(time.dateTime).toLocaleTimeString(document.documentElement.lang, FORMAT);
    if (time.textContent !== text) time.textContent = text;
  }
}

showTimes();
new MutationObserver(showTimes).observe(document, { childList: true, subtree: true, characterData: true });
