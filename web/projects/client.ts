import { around, find, keepStill, on, onArrival, say, word } from "../components/client/dom.ts";

/** Cards are dragged, or moved with Alt and the arrow keys; each new position is sent to the server. */

const CARD = ".board [data-card]";

function cardsOf(column: Element): HTMLElement[] {
  return find("[data-card]", column);
}

/** Moves a card before another one of a column, or to the end, and tells the server; reverts if the server refuses. */
async function place(card: HTMLElement, column: Element, before: Element | null): Promise<void> {
  const board = card.closest<HTMLElement>("[data-board]")?.dataset["board"];
  const list = column.querySelector(".board-cards");
  if (!board || !list || before === card) return;
  const [home, next] = [card.parentElement, card.nextElementSibling];
  list.insertBefore(card, before);
  card.focus();
  const body = new URLSearchParams({
    issue: card.dataset["card"] ?? "",
    column: column instanceof HTMLElement ? (column.dataset["column"] ?? "") : "",
    before: before instanceof HTMLElement ? (before.dataset["card"] ?? "") : "",
  });
  const answer = await fetch(board, { method: "POST", body, redirect: "manual" }).catch(() => undefined);
  if (answer?.type === "opaqueredirect") return say(column.querySelector("h2")?.textContent ?? "");
  home?.insertBefore(card, next);
  say(word("failed"));
}

/** The card before which something dropped at that height is inserted; null: at the end. */
function cardBelow(column: Element, y: number, moved: Element): HTMLElement | null {
  const others = cardsOf(column).filter((card) => card !== moved);
  return others.find((card) => y < card.getBoundingClientRect().top + card.offsetHeight / 2) ?? null;
}

function step(card: HTMLElement, key: string): void {
  const column = card.closest("[data-column]");
  if (!column) return;
  if (key === "ArrowUp" && card.previousElementSibling) void place(card, column, card.previousElementSibling);
  const below = card.nextElementSibling;
  if (key === "ArrowDown" && below) void place(card, column, below.nextElementSibling);
  const beside = key === "ArrowLeft" ? column.previousElementSibling : column.nextElementSibling;
  if ((key === "ArrowLeft" || key === "ArrowRight") && beside)
    void place(card, beside, cardsOf(beside)[cardsOf(column).indexOf(card)] ?? null);
}

/** Without Alt, the arrow keys move between cards. */
function walk(card: HTMLElement, key: string): void {
  const column = card.closest("[data-column]");
  if (!column) return;
  const at = cardsOf(column).indexOf(card);
  if (key === "ArrowUp") cardsOf(column)[at - 1]?.focus();
  if (key === "ArrowDown") cardsOf(column)[at + 1]?.focus();
  const beside = key === "ArrowLeft" ? column.previousElementSibling : column.nextElementSibling;
  if ((key === "ArrowLeft" || key === "ArrowRight") && beside) {
    const cards = cardsOf(beside);
    cards[Math.min(at, cards.length - 1)]?.focus();
  }
}

const dragged = () => find(".board .dragged")[0];

const catchUp = keepStill(
  "board",
  "board.changed",
  () => dragged() !== undefined || document.querySelector("#board details[open]") !== null,
);

function endDrag(): void {
  dragged()?.classList.remove("dragged");
  catchUp();
  for (const column of find(".drop-here")) column.classList.remove("drop-here");
}

onArrival(() => {
  for (const card of find("[data-board] [data-card]")) card.tabIndex = 0;
});
on("dragstart", "[data-board] [data-card]", (card, event) => {
  card.classList.add("dragged");
  event.dataTransfer?.setData("text/plain", card.dataset["card"] ?? "");
});
on("dragover", "[data-board] [data-column]", (column, event) => {
  if (!dragged()) return;
  event.preventDefault();
  for (const other of find(".drop-here")) other.classList.toggle("drop-here", other === column);
  column.classList.add("drop-here");
});
on("drop", "[data-board] [data-column]", (column, event) => {
  event.preventDefault();
  const card = dragged();
  if (card) void place(card, column, cardBelow(column, event.clientY, card));
  endDrag();
});
document.addEventListener("dragend", endDrag);
document.addEventListener("toggle", () => catchUp(), true);
on("keydown", CARD, (_, event) => {
  const card = event.target instanceof HTMLElement && event.target.matches(CARD) ? event.target : null;
  if (!card || !event.key.startsWith("Arrow") || around(event, "[data-board]") === null) return;
  event.preventDefault();
  if (event.altKey) step(card, event.key);
  else walk(card, event.key);
});
