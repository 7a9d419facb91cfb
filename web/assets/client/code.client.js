// The code view: select lines (#L10-L20), and "go to file".
(() => {
  const { find, say } = window.hearth;

  const parse = (hash) => {
    const match = /^#L(\d+)(?:-L?(\d+))?$/.exec(hash);
    if (!match) return undefined;
    const from = Number(match[1]);
    const to = Number(match[2] ?? match[1]);
    return { from: Math.min(from, to), to: Math.max(from, to) };
  };
  const mark = (scroll) => {
    const range = parse(location.hash);
    for (const line of find(".l.picked")) line.classList.remove("picked");
    if (!range || !document.querySelector(".code")) return;
    const first = document.getElementById(`L${range.from}`);
    for (let at = range.from; at <= range.to; at++) document.getElementById(`L${at}`)?.classList.add("picked");
    if (scroll) first?.scrollIntoView({ block: "center" });
    for (const link of find("a[data-permalink]")) link.hash = location.hash;
  };
  addEventListener("hashchange", () => mark(true));
  mark(true);

  // The number stands in the line's own left padding: a click there picks the line, shift extends.
  document.addEventListener("click", (event) => {
    const line = event.target.closest?.(".code .l");
    if (!line) return;
    const gutter = Number.parseFloat(getComputedStyle(line).paddingLeft);
    if (event.clientX - line.getBoundingClientRect().left > gutter) return;
    const number = Number(line.id.slice(1));
    const before = parse(location.hash);
    const range =
      event.shiftKey && before ? [Math.min(before.from, number), Math.max(before.from, number)] : [number, number];
    const hash = range[0] === range[1] ? `#L${range[0]}` : `#L${range[0]}-L${range[1]}`;
    history.replaceState(history.state, "", hash);
    mark(false);
    say(range[0] === range[1] ? `Line ${range[0]}` : `Lines ${range[0]} to ${range[1]}`);
  });

  // Go to file: the list of paths is fetched when the field is first used.
  const lists = new Map();
  const paths = (address) => {
    if (!lists.has(address))
      lists.set(
        address,
        fetch(address, { headers: { Accept: "application/json" } }).then((answer) => (answer.ok ? answer.json() : [])),
      );
    return lists.get(address);
  };
  // All letters in order; consecutive ones, word starts and the file name count more.
  const score = (path, wanted) => {
    const text = path.toLowerCase();
    const name = text.lastIndexOf("/") + 1;
    let at = 0;
    let points = 0;
    let last = -2;
    for (const letter of wanted) {
      const hit = text.indexOf(letter, at);
      if (hit < 0) return -1;
      points += hit === last + 1 ? 5 : 1;
      if (hit === 0 || "/_-.".includes(text[hit - 1])) points += 3;
      if (hit >= name) points += 2;
      last = hit;
      at = hit + 1;
    }
    return points - path.length / 100;
  };
  const showFiles = async (field) => {
    const list = document.getElementById(field.dataset.files);
    const all = await paths(field.dataset.source);
    const wanted = field.value.toLowerCase().replace(/\s+/g, "");
    const found = wanted
      ? all
          .map((path) => ({ path, points: score(path, wanted) }))
          .filter((entry) => entry.points >= 0)
          .sort((a, b) => b.points - a.points)
          .slice(0, 20)
      : [];
    list.replaceChildren(
      ...found.map(({ path }) => {
        const item = document.createElement("li");
        const link = document.createElement("a");
        link.className = "menu-item";
        link.href = `${field.dataset.base}/${path.split("/").map(encodeURIComponent).join("/")}`;
        link.textContent = path;
        item.append(link);
        return item;
      }),
    );
    if (wanted) say(`${found.length} files`);
  };
  document.addEventListener("input", (event) => {
    if (event.target.matches("[data-files]")) void showFiles(event.target);
  });
  document.addEventListener("keydown", (event) => {
    const field = event.target.closest?.("[data-files]");
    if (field && event.key === "Enter") {
      event.preventDefault();
      document.querySelector(`#${field.dataset.files} a`)?.click();
    }
  });
})();
