/** The frame of every page: theme, fragments, messages, what can be reached by keyboard. */
import { find, on, onArrival, say, word } from "../components/client/dom.ts";

// Theme: at once, and kept in the cookie the server reads.
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

// A message over the page goes by itself once it was read, and at once when it is closed.
const toast = document.querySelector("#flash .toast:not(:has(form))");
if (toast) setTimeout(() => toast.remove(), 8000);
on("click", ".toast [data-dismiss]", (button) => button.closest(".toast")?.remove());

// Ids in user text are prefixed; `#setup` still finds its heading.
function followFragment(): void {
  const id = decodeURIComponent(location.hash.slice(1));
  if (id && !document.getElementById(id)) document.getElementById(`user-content-${id}`)?.scrollIntoView();
}
addEventListener("hashchange", followFragment);
followFragment();

// What scrolls sideways must be reachable by keyboard; what fits should not be a stop on the way.
onArrival(() => {
  for (const box of find(".prose pre, .prose table, .commands, .trace, .table-box, .menu-list"))
    if (box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight) box.tabIndex = 0;
});

// On a phone the row of tabs scrolls; the current one must be seen.
// Scrolled by hand: where scrollIntoView points to, the next Tab goes on from, and the skip link is passed over.
const tab = document.querySelector(".tabs [aria-current]");
const strip = tab?.closest(".tabs");
if (tab && strip) {
  const over = tab.getBoundingClientRect().right - strip.getBoundingClientRect().right;
  if (over > 0) strip.scrollLeft += over + 48;
}
document.addEventListener("htmx:error", () => say(word("failed")));
