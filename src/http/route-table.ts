import type { Method, Route } from "./route.ts";

/**
 * Finds the declaration for a request. The table knows the method and path of every route from the start; the
 * declarations and the code behind them are loaded by group (one side of an area) on the first request for that group.
 */

/** The table of all groups as a build serializes it: a tree whose leaves name groups. */
export type RouteIndex = string;

export type LoadGroup = (group: string) => Promise<readonly Route[]>;

export class RouteTable {
  private constructor(
    private readonly root: Node,
    private readonly loadGroup: LoadGroup,
  ) {}

  /** A table with all declarations loaded. @throws Error if two of them have the same method and path */
  static of(routes: readonly Route[]): RouteTable {
    const root = treeOf(routes.map((route) => ({ method: route.method, path: route.path, group: "", route })));
    return new RouteTable(root, async () => []);
  }

  /** A table that loads groups on demand. */
  static indexed(index: RouteIndex, load: LoadGroup): RouteTable {
    return new RouteTable(JSON.parse(index) as Node, load);
  }

  /** The index of groups with these routes. @throws Error if two of them have the same method and path */
  static index(groups: ReadonlyMap<string, readonly Pick<Route, "method" | "path">[]>): RouteIndex {
    const entries = [...groups].flatMap(([group, routes]) =>
      routes.map(({ method, path }): Entry => ({ method, path, group })),
    );
    return JSON.stringify(folded(treeOf(entries)));
  }

  /** Finds the route for that method and raw path. A route for GET also serves HEAD. */
  find(method: string, path: string): Entry | undefined {
    const wanted = (method === "HEAD" ? "GET" : method) as Method;
    return match(this.root, path.split("/"), 0, (methods) => methods[wanted]);
  }

  /** The declaration of an entry; undefined if this server's configuration has none. */
  routeOf(entry: Entry): Route | undefined | Promise<Route | undefined> {
    if (entry.route || entry.group === "") return entry.route;
    return this.load(entry.group).then(() => entry.route);
  }

  private async load(group: string): Promise<void> {
    for (const route of await this.loadGroup(group)) {
      const entry = declaredAt(this.root, route);
      if (entry?.group !== group) throw new Error(`${keyOf(route)} stands in no index of ${group}`);
      entry.route = route;
    }
  }

  /** The methods that routes accept at that raw path. */
  async methodsAt(path: string): Promise<Set<string>> {
    const entries: Entry[] = [];
    match(this.root, path.split("/"), 0, (methods) => {
      entries.push(...Object.values(methods));
      return undefined;
    });
    const found = new Set<string>();
    for (const entry of entries) {
      if (!(await this.routeOf(entry))) continue;
      found.add(entry.method);
      if (entry.method === "GET") found.add("HEAD");
    }
    return found;
  }
}

/** One route, and its declaration once loaded. */
export interface Entry {
  readonly method: Method;
  readonly path: string;
  readonly group: string;
  route?: Route;
}

type Methods = { [Name in Method]?: Entry };

/** Plain objects, so that a tree of a thousand routes can be read from an index at once. */
interface Node {
  words?: Record<string, Folded>;
  parameter?: Folded;
  rest?: Node;
  methods?: Methods;
}

/** A subtree, kept as JSON until a path leads into it. */
type Folded = Node | string;

const FOLDED_CHARACTERS = 8_192;

/** The node with all small subtrees as JSON: few of them are needed at startup. */
function folded(node: Node): Node {
  const part = (below: Folded): Folded => {
    if (typeof below === "string") return below;
    const text = JSON.stringify(below);
    return text.length <= FOLDED_CHARACTERS ? text : folded(below);
  };
  const { parameter, words, ...own } = node;
  return {
    ...own,
    ...(parameter === undefined ? {} : { parameter: part(parameter) }),
    ...(words ? { words: Object.fromEntries(Object.entries(words).map(([word, below]) => [word, part(below)])) } : {}),
  };
}

function unfolded(part: Folded): Node {
  return typeof part === "string" ? (JSON.parse(part) as Node) : part;
}

function keyOf({ method, path }: Pick<Route, "method" | "path">): string {
  return `${method} ${path}`;
}

function treeOf(entries: readonly Entry[]): Node {
  const root: Node = {};
  for (const entry of entries) {
    let node = root;
    for (const segment of entry.path.split("/")) node = below(node, segment);
    node.methods ??= {};
    if (node.methods[entry.method]) throw new Error(`${keyOf(entry)} is declared twice`);
    node.methods[entry.method] = entry;
  }
  return root;
}

function below(node: Node, segment: string): Node {
  if (segment === "*") {
    node.rest ??= {};
    return node.rest;
  }
  if (segment.startsWith(":")) {
    node.parameter = unfolded(node.parameter ?? {});
    return node.parameter;
  }
  node.words ??= {};
  const word = unfolded(node.words[segment] ?? {});
  node.words[segment] = word;
  return word;
}

function declaredAt(root: Node, { method, path }: Pick<Route, "method" | "path">): Entry | undefined {
  let node: Node | undefined = root;
  for (const segment of path.split("/"))
    node = segment === "*" ? node?.rest : segment.startsWith(":") ? parameterBelow(node) : wordBelow(node, segment);
  return node?.methods?.[method];
}

function wordBelow(node: Node | undefined, segment: string): Node | undefined {
  if (!node?.words || !Object.hasOwn(node.words, segment)) return undefined;
  const word = node.words[segment];
  if (typeof word !== "string") return word;
  const opened = unfolded(word);
  node.words[segment] = opened;
  return opened;
}

function parameterBelow(node: Node | undefined): Node | undefined {
  if (typeof node?.parameter === "string") node.parameter = unfolded(node.parameter);
  return node?.parameter;
}

/** A literal segment wins over a parameter, and a parameter over the rest of a path; dead ends are backtracked. */
function match<T>(
  node: Node,
  segments: readonly string[],
  at: number,
  take: (methods: Methods) => T | undefined,
): T | undefined {
  const segment = segments[at];
  if (segment === undefined) return node.methods && take(node.methods);
  const literal = wordBelow(node, segment);
  const named = literal && match(literal, segments, at + 1, take);
  if (named !== undefined) return named;
  // No account can be named `api`: a route of an owner that matches an address below it was not meant.
  const isApi = at === 1 && segment === "api" && segments.length > 2;
  const parameter = segment !== "" && !isApi ? parameterBelow(node) : undefined;
  if (parameter) {
    const found = match(parameter, segments, at + 1, take);
    if (found !== undefined) return found;
  }
  // A trailing slash is ignored.
  if (segment === "" && at === segments.length - 1 && at > 1 && node.methods) {
    const found = take(node.methods);
    if (found !== undefined) return found;
  }
  return node.rest?.methods && take(node.rest.methods);
}
