/** The frame of every page: theme, fragments, messages, keyboard access. */
import { find, on, onArrival, say, word } from "../components/client/dom.ts";

// Theme: applied immediately, and stored in the cookie the server reads.
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || !form.matches("[data-theme-form]")) return;
  const { submitter } = event;
  if (!(submitter instanceof HTMLButtonElement)) return;
  event.preventDefault();
  document.documentElement.dataset["theme"] = submitter.value;
  const secure = location.protocol === "https:" ? "; Secure" : "";
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store exists only over https, and the values are three words
  document.cookie = `hearth_theme=${submitter.value}; Path=/; Max-Age=31536000; SameSite=Lax${secure}`;
  for (const other of find("button", form)) other.setAttribute("aria-pressed", String(other === submitter));
  say(submitter.title);
});

// A toast disappears after there was time to read it, or immediately when it is closed.
const toast = document.querySelector("#flash .toast:not(:has(form))");
if (toast) setTimeout(() => toast.remove(), 8000);
on("click", ".toast [data-dismiss]", (button) => button.closest(".toast")?.remove());

// Ids in user text are prefixed; `#setup` must still find its heading.
function followFragment(): void {
  const id = decodeURIComponent(location.hash.slice(1));
  if (id && !document.getElementById(id)) document.getElementById(`user-content-${id}`)?.scrollIntoView();
}
addEventListener("hashchange", followFragment);
followFragment();

// What scrolls sideways must be reachable by keyboard; what fits should not be a tab stop.
onArrival(() => {
  for (const box of find(".prose pre, .prose table, .commands, .trace, .table-box, .menu-list"))
    if (box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight) box.tabIndex = 0;
});

// On a phone the row of tabs scrolls; the current one must be visible.
// Set scrollLeft directly: scrollIntoView would also move the Tab starting point, and the skip link would be passed
// over.
const tab = document.querySelector(".tabs [aria-current]");
const strip = tab?.closest(".tabs");
if (tab && strip) {
  const over = tab.getBoundingClientRect().right - strip.getBoundingClientRect().right;
  if (over > 0) strip.scrollLeft += over + 48;
}
document.addEventListener("htmx:error", () => say(word("failed")));
