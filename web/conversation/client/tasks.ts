import { find, on, onArrival, say, word } from "../../components/client/dom.ts";

/** Task list checkboxes, for those who may edit the text. */

const boxesOf = (body: HTMLElement) =>
  find<HTMLInputElement>(".prose li.task > input[type=checkbox], .prose li.task > p > input[type=checkbox]", body);

async function tick(body: HTMLElement, box: HTMLInputElement): Promise<void> {
  const boxes = boxesOf(body);
  const fields = new URLSearchParams({
    task: String(boxes.indexOf(box)),
    done: box.checked ? "1" : "0",
    content_version: body.dataset["version"] ?? "",
  });
  for (const each of boxes) each.disabled = true;
  try {
    const answer = await fetch(body.dataset["tick"] ?? "", { method: "POST", body: fields });
    const told = (await answer.json()) as { content_version?: number; message?: string };
    if (told.content_version === undefined) throw new Error(told.message ?? word("failed"));
    body.dataset["version"] = String(told.content_version);
  } catch (error) {
    box.checked = !box.checked;
    say(error instanceof Error ? error.message : word("failed"));
  } finally {
    for (const each of boxes) each.disabled = false;
  }
}

export function startTasks(): void {
  onArrival(() => {
    for (const body of find("[data-tick]")) for (const box of boxesOf(body)) box.disabled = false;
  });
  on("change", "[data-tick] .prose input[type=checkbox]", (box) => {
    const body = box.closest<HTMLElement>("[data-tick]");
    if (body && box instanceof HTMLInputElement) void tick(body, box);
  });
}
