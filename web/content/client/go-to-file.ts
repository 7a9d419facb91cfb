import { around, make, say, word } from "../../components/client/dom.ts";

/** "Go to file": the list of paths is fetched when the field is first used. */

const SHOWN = 20;
const lists = new Map<string, Promise<readonly string[]>>();

async function fetchPaths(address: string): Promise<readonly string[]> {
  const answer = await fetch(address, { headers: { Accept: "application/json" } });
  const paths: unknown = answer.ok ? await answer.json() : [];
  return Array.isArray(paths) ? paths.filter((path): path is string => typeof path === "string") : [];
}

function pathsOf(address: string): Promise<readonly string[]> {
  let paths = lists.get(address);
  if (!paths) {
    paths = fetchPaths(address);
    lists.set(address, paths);
  }
  return paths;
}

/** All letters in order; consecutive ones, word starts and the file name count more. Negative: no match. */
function score(path: string, wanted: string): number {
  const text = path.toLowerCase();
  const name = text.lastIndexOf("/") + 1;
  let at = 0;
  let points = 0;
  let last = -2;
  for (const letter of wanted) {
    const hit = text.indexOf(letter, at);
    if (hit < 0) return -1;
    points += hit === last + 1 ? 5 : 1;
    if (hit === 0 || "/_-.".includes(text[hit - 1] ?? "")) points += 3;
    if (hit >= name) points += 2;
    last = hit;
    at = hit + 1;
  }
  return points - path.length / 100;
}

async function showFiles(field: HTMLInputElement): Promise<void> {
  const list = document.getElementById(field.dataset["files"] ?? "");
  const paths = await pathsOf(field.dataset["source"] ?? "");
  const wanted = field.value.toLowerCase().replace(/\s+/g, "");
  if (!list) return;
  const found = paths
    .map((path) => ({ path, points: wanted === "" ? -1 : score(path, wanted) }))
    .filter((entry) => entry.points >= 0)
    .sort((a, b) => b.points - a.points)
    .slice(0, SHOWN);
  list.replaceChildren(
    ...found.map(({ path }) => {
      const href = `${field.dataset["base"]}/${path.split("/").map(encodeURIComponent).join("/")}`;
      return make("li", {}, make("a", { className: "menu-item", href, textContent: path }));
    }),
  );
  if (wanted !== "") say(word("files", { count: found.length }));
}

export function startGoToFile(): void {
  document.addEventListener("input", ({ target }) => {
    if (target instanceof HTMLInputElement && target.matches("[data-files]")) void showFiles(target);
  });
  document.addEventListener("keydown", (event) => {
    const field = event.key === "Enter" ? around(event, "[data-files]") : null;
    if (!field) return;
    event.preventDefault();
    document.querySelector<HTMLElement>(`#${field.dataset["files"]} a`)?.click();
  });
}
