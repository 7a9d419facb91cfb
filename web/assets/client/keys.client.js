// Keyboard: every element with data-hotkey has a key; "?" lists those of this page. Silent while a field has the focus.
(() => {
  const { find } = window.hearth;
  const typing = (target) => target.closest?.("input,textarea,select,[contenteditable]");
  const nameOf = (element) =>
    element.dataset.hotkeyName ||
    element.getAttribute("aria-label") ||
    element.title ||
    element.textContent.trim().replace(/\s+\d[\d.,k]*$/, "");

  const use = (element) => {
    if (element.matches("input")) {
      element.focus();
      element.select();
    } else element.click();
  };

  let pending = "";
  let clear;
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      const menu = find("details[data-menu][open]").at(-1);
      if (menu) {
        menu.open = false;
        menu.querySelector("summary").focus();
      } else if (typing(event.target)) event.target.blur();
      return;
    }
    if ((event.ctrlKey || event.metaKey) && event.key === "Enter") {
      event.target.form?.requestSubmit();
      return;
    }
    if (moveInMenu(event) || event.ctrlKey || event.metaKey || event.altKey || typing(event.target)) return;
    const pressed = pending ? `${pending} ${event.key}` : event.key;
    const element = find("[data-hotkey]").find(
      (other) => other.dataset.hotkey.split(",").includes(pressed) && other.checkVisibility(),
    );
    clearTimeout(clear);
    pending = "";
    if (element) {
      event.preventDefault();
      use(element);
    } else if (event.key === "g") {
      pending = "g";
      clear = setTimeout(() => {
        pending = "";
      }, 1500);
    }
  });

  // Arrow keys walk through the items of an open menu.
  const moveInMenu = (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const menu = step && event.target.closest?.("details[data-menu][open]");
    if (!menu) return false;
    const items = find(".menu-item, input", menu).filter((item) => item.checkVisibility());
    const at = items.indexOf(document.activeElement);
    items[(at + step + items.length) % items.length]?.focus();
    event.preventDefault();
    return true;
  };

  const element = (tag, properties, ...children) => {
    const made = Object.assign(document.createElement(tag), properties);
    made.append(...children);
    return made;
  };
  const list = () => {
    const rows = find("[data-hotkey]")
      .filter((other) => other.checkVisibility())
      .map((other) =>
        element(
          "div",
          {},
          element(
            "dt",
            {},
            ...other.dataset.hotkey
              .split(",")[0]
              .split(" ")
              .map((key) => element("kbd", { textContent: key })),
          ),
          element("dd", { textContent: nameOf(other) }),
        ),
      );
    const dialog = element("div", { className: "dialog", id: "shortcuts", popover: "auto" });
    dialog.setAttribute("role", "dialog");
    dialog.setAttribute("aria-label", "Keyboard shortcuts");
    dialog.append(
      element("header", { className: "dialog-head" }, element("h2", { textContent: "Keyboard shortcuts" })),
    );
    dialog.append(element("dl", { className: "dialog-body shortcuts" }, ...rows));
    return dialog;
  };
  document.addEventListener("click", (event) => {
    if (!event.target.closest("[data-shortcuts]")) return;
    document.getElementById("shortcuts")?.remove();
    const dialog = list();
    document.body.append(dialog);
    dialog.showPopover();
  });
})();
