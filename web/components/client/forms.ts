import { find, on, onArrival, say, word } from "./dom.ts";

/** Keeps the button of a destructive form disabled until the name is typed. */
function checkTyped(field: HTMLInputElement): void {
  const button = field.form?.querySelector<HTMLButtonElement>("button[type=submit]");
  if (button) button.disabled = field.value !== field.dataset["mustEqual"];
}

/** Filters a list while the user types: no request, works on what the page has. */
function filterList(field: HTMLInputElement): void {
  const words = field.value.trim().toLowerCase().split(/\s+/);
  for (const id of (field.dataset["filter"] ?? "").split(" ")) {
    const list = document.getElementById(id);
    if (!list) continue;
    let shown = 0;
    for (const item of find("[data-name]", list)) {
      const text = (item.dataset["name"] ?? "").toLowerCase();
      item.hidden = !words.every((each) => text.includes(each));
      if (!item.hidden) shown++;
    }
    const none = document.getElementById(`${id}-none`);
    if (none) none.hidden = shown > 0;
  }
}

/** Submits a form with a file in the background to show the progress, then goes where the response redirects. */
function upload(form: HTMLFormElement, progress: HTMLProgressElement): void {
  const request = new XMLHttpRequest();
  request.open("POST", form.action);
  request.setRequestHeader("HX-Request", "true");
  request.setRequestHeader("HX-Request-Type", "partial");
  progress.hidden = false;
  request.upload.addEventListener("progress", (event) => {
    if (!event.lengthComputable) return;
    progress.max = event.total;
    progress.value = event.loaded;
  });
  // A refused upload is sent again as a normal form, so that the page with its errors is shown.
  const plain = () => {
    progress.hidden = true;
    form.submit();
  };
  request.addEventListener("load", () => {
    const location = request.getResponseHeader("hx-redirect");
    if (request.status < 300 && location) window.location.assign(location);
    else plain();
  });
  request.addEventListener("error", () => {
    progress.hidden = true;
    say(word("failed"));
  });
  request.send(new FormData(form));
}

export function startForms(): void {
  document.addEventListener("input", ({ target }) => {
    if (!(target instanceof HTMLInputElement)) return;
    if (target.matches("[data-must-equal]")) checkTyped(target);
    if (target.matches("[data-filter]")) filterList(target);
  });
  document.addEventListener("change", ({ target }) => {
    if (!(target instanceof HTMLInputElement || target instanceof HTMLSelectElement)) return;
    // A control that takes effect immediately.
    if (target.matches("[data-submit]")) target.form?.requestSubmit();
    // A choice that makes no sense without a checkbox also checks it.
    const ticks = target.value === "" ? undefined : target.dataset["ticks"];
    const box = ticks && document.getElementById(ticks);
    if (box instanceof HTMLInputElement) box.checked = true;
  });
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement)) return;
    const progress = form.querySelector<HTMLProgressElement>("progress[data-upload]");
    const file = form.querySelector<HTMLInputElement>("input[type=file]");
    if (!progress || !file?.files?.length) return;
    event.preventDefault();
    upload(form, progress);
  });
  // Files can be dropped on the field as well as chosen.
  on("dragover", ".upload", (_, event) => event.preventDefault());
  on("drop", ".upload", (field, event) => {
    event.preventDefault();
    const input = field.querySelector<HTMLInputElement>("input[type=file]");
    if (input && event.dataTransfer) input.files = event.dataTransfer.files;
  });
  onArrival(() => {
    for (const field of find<HTMLInputElement>("[data-must-equal]")) checkTyped(field);
  });
  // Sign-in keeps the fragment of the requested URL.
  const field = document.querySelector<HTMLInputElement>("input[name=redirect_to]");
  if (field?.value && location.hash && !field.value.includes("#")) field.value += location.hash;
  document.querySelector<HTMLElement>("[data-focus]")?.focus();
}
