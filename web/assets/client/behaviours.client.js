// Behaviours of the site, found by data- attributes, so that parts swapped in later have them too.
// No innerHTML anywhere: the policy (Trusted Types) would refuse it.
(() => {
  const root = document.documentElement;

  const say = (text) => {
    const region = document.getElementById("said");
    if (region) region.textContent = text;
  };
  const find = (selector, from = document) => [...from.querySelectorAll(selector)];
  window.hearth = { say, find };

  // Times: "3 hours ago", refreshed each minute while the page is seen.
  const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
  const steps = [
    [60, "second", 1],
    [3600, "minute", 60],
    [86400, "hour", 3600],
    [86400 * 30, "day", 86400],
    [86400 * 365, "month", 86400 * 30],
    [Number.POSITIVE_INFINITY, "year", 86400 * 365],
  ];
  const showTimes = (from = document) => {
    if (document.hidden) return;
    for (const time of find("time[data-rel]", from)) {
      const at = new Date(time.dateTime);
      const seconds = (at - Date.now()) / 1000;
      const distance = Math.abs(seconds);
      const [, unit, size] = steps.find(([limit]) => distance < limit);
      const words = distance < 45 ? "just now" : relative.format(Math.round(seconds / size), unit);
      const prefix = time.dataset.rel;
      const text = prefix ? `${prefix} ${words}` : words;
      if (time.textContent !== text) time.textContent = text;
      if (!time.dataset.local) {
        time.dataset.local = "1";
        time.title = at.toLocaleString(undefined, { dateStyle: "full", timeStyle: "long" });
      }
    }
  };
  setInterval(showTimes, 60_000);
  document.addEventListener("visibilitychange", () => showTimes());

  // The chosen picture in place of the present one, before it is sent.
  const showPreview = (field) => {
    const [file] = field.files;
    const place = document.querySelector(field.dataset.preview);
    if (!file || !place) return;
    const reader = new FileReader();
    reader.addEventListener("load", () => {
      const picture = document.createElement("img");
      picture.className = "av av-s96";
      picture.width = picture.height = 96;
      picture.alt = "";
      picture.src = reader.result;
      place.replaceChildren(picture);
    });
    reader.readAsDataURL(file);
  };

  // Copy buttons.
  const copied = (button, text) => {
    navigator.clipboard?.writeText(text).then(
      () => {
        const done = (is) => {
          button.classList.toggle("copied", is);
          button.classList.toggle("i-copy", !is);
          button.classList.toggle("i-check", is);
        };
        done(true);
        say("Copied");
        setTimeout(done, 1500, false);
      },
      () => say("Copying was refused by the browser"),
    );
  };
  const textOf = (element) => {
    if ("value" in element) return element.value;
    const lines = find(".l", element);
    return lines.length > 0 ? lines.map((line) => line.textContent.replace(/\n$/, "")).join("\n") : element.textContent;
  };

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-copy],[data-copy-from]");
    if (button) {
      const source = button.dataset.copyFrom && document.getElementById(button.dataset.copyFrom);
      copied(button, source ? textOf(source) : (button.dataset.copy ?? ""));
    }
    // A menu closes when the visitor turns to something else.
    for (const menu of find("details[data-menu][open]")) if (!menu.contains(event.target)) menu.open = false;
    if (event.target.matches("input[data-select]")) event.target.select();
  });

  // Theme: at once, and kept in the cookie the server reads.
  document.addEventListener("submit", (event) => {
    if (!event.target.matches("[data-theme-form]")) return;
    const theme = event.submitter?.value;
    if (!theme) return;
    event.preventDefault();
    root.dataset.theme = theme;
    const secure = location.protocol === "https:" ? "; Secure" : "";
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store exists only over https, and the values are three words
    document.cookie = `hearth_theme=${theme}; Path=/; Max-Age=31536000; SameSite=Lax${secure}`;
    for (const other of find("button", event.target))
      other.setAttribute("aria-pressed", String(other === event.submitter));
    say(`${theme} theme`);
  });

  // A field that names what will be deleted keeps its button off until it is typed.
  const checkTyped = (field) => {
    const button = field.form?.querySelector("button[type=submit]");
    if (button) button.disabled = field.value !== field.dataset.mustEqual;
  };
  // A list filtered as one types: no request, works on what the page holds.
  const filterList = (field) => {
    const words = field.value.trim().toLowerCase().split(/\s+/);
    const list = document.getElementById(field.dataset.filter);
    if (!list) return;
    let shown = 0;
    for (const item of list.children) {
      const text = (item.dataset.name ?? item.textContent).toLowerCase();
      item.hidden = !words.every((word) => text.includes(word));
      if (!item.hidden) shown++;
    }
    const none = document.getElementById(`${field.dataset.filter}-none`);
    if (none) none.hidden = shown > 0;
  };
  document.addEventListener("input", (event) => {
    if (event.target.matches("[data-must-equal]")) checkTyped(event.target);
    if (event.target.matches("[data-filter]")) filterList(event.target);
    if (event.target.matches("[data-preview]")) showPreview(event.target);
  });

  // A choice that takes effect at once.
  document.addEventListener("change", (event) => {
    if (!event.target.matches("[data-submit]")) return;
    event.target.form?.requestSubmit();
  });

  // What an opened menu or dialog starts with.
  document.addEventListener(
    "toggle",
    (event) => {
      const opened = event.target;
      if (opened.matches("details[data-menu]") ? opened.open : event.newState === "open")
        opened.querySelector("input:not([type=hidden])")?.focus();
    },
    true,
  );

  // Sign-in keeps the fragment of the address that was asked for.
  const keepFragment = () => {
    const field = document.querySelector("input[name=redirect_to]");
    if (field?.value && location.hash && !field.value.includes("#")) field.value += location.hash;
  };

  // Ids in user text are prefixed; `#setup` still finds its heading.
  const followFragment = () => {
    const id = decodeURIComponent(location.hash.slice(1));
    if (id && !document.getElementById(id)) document.getElementById(`user-content-${id}`)?.scrollIntoView();
  };
  addEventListener("hashchange", followFragment);

  // What scrolls sideways must be reachable by keyboard; what fits should not be a stop on the way.
  const reachable = (from = document) => {
    for (const box of find(".prose pre, .prose table, .commands, .trace, .table-box, .menu-list", from))
      if (box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight) box.tabIndex = 0;
  };

  const wake = (from = document) => {
    showTimes(from);
    reachable(from);
    for (const field of find("[data-must-equal]", from)) checkTyped(field);
  };
  wake();
  // On a phone the row of tabs scrolls; the current one must be seen.
  // Scrolled by hand: where scrollIntoView points to, the next Tab goes on from, and the skip link is passed over.
  const tab = document.querySelector(".tabs [aria-current]");
  const strip = tab?.closest(".tabs");
  if (tab && strip) {
    const over = tab.getBoundingClientRect().right - strip.getBoundingClientRect().right;
    if (over > 0) strip.scrollLeft += over;
  }
  keepFragment();
  followFragment();
  document.querySelector("[data-focus]")?.focus();
  document.addEventListener("htmx:after:swap", () => wake());
  document.addEventListener("htmx:error", () => say("The request failed"));
})();
