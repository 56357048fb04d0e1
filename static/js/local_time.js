// Shows times in this phone's time zone. Without this script, pages show the server's zone.

const FORMAT = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" };

function showTimes() {
  for (const time of document.querySelectorAll("time[datetime]")) {
    time.textContent = new Date(time.dateTime).toLocaleTimeString(document.documentElement.lang, FORMAT);
  }
}

showTimes();
for (const name of ["htmx:sseMessage", "htmx:afterSettle"]) document.body.addEventListener(name, showTimes);
