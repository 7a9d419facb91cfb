/**
 * Frames without access to this page, which report the height of their content. Diagram frames are added beside the
 * code block, which stays in case the diagram cannot be drawn.
 */
import { find, onArrival } from "../components/client/dom.ts";

const MAX_CHARACTERS = 50_000;
const frames = new Map<MessageEventSource, { frame: HTMLIFrameElement; code?: HTMLElement }>();

onArrival(() => {
  for (const frame of find<HTMLIFrameElement>("iframe.viewer"))
    if (frame.contentWindow) frames.set(frame.contentWindow, { frame });
  for (const code of find("pre > code.language-mermaid:not([data-seen])")) {
    code.dataset["seen"] = "";
    if ((code.textContent ?? "").length <= MAX_CHARACTERS) draw(code);
  }
});

function draw(code: HTMLElement): void {
  const frame = document.createElement("iframe");
  frame.className = "viewer-diagram";
  frame.title = "Mermaid";
  frame.setAttribute("sandbox", "allow-scripts");
  frame.src = "/-/viewer/mermaid";
  code.parentElement?.after(frame);
  if (frame.contentWindow) frames.set(frame.contentWindow, { frame, code });
}

addEventListener("message", ({ data, source }) => {
  const known = source && frames.get(source);
  if (!known) return;
  const { frame, code } = known;
  const { theme } = document.documentElement.dataset;
  const isDark = theme === "dark" || (theme !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  if (data.ready) frame.contentWindow?.postMessage({ source: code?.textContent, isDark }, "*");
  if (Number.isFinite(data.height)) {
    frame.style.height = `${Math.min(Math.max(data.height, 16), 10_000)}px`;
    code?.parentElement?.setAttribute("hidden", "");
  }
  if (typeof data.error !== "string") return;
  // When it cannot be drawn, the source is shown.
  const reason = document.createElement("p");
  reason.className = "muted";
  reason.textContent = data.error.slice(0, 500);
  frame.replaceWith(reason);
});
