import type { Method, Route } from "./route.ts";

/**
 * Which declaration a request is for. The table knows every way in by its method and path from the start; the
 * declarations themselves, and all that stands behind them, are loaded by group (an area's side) when the first request
 * comes that one of the group is for.
 */

/** The routes of all groups as a build writes them down: a line `group` followed by its lines `METHOD /path`. */
export type RouteIndex = string;

export type LoadGroup = (group: string) => Promise<readonly Route[]>;

export class RouteTable {
  private readonly root: Node = { literals: new Map() };
  private readonly entries = new Map<string, Entry>();

  private constructor(private readonly loadGroup: LoadGroup) {}

  /** A table whose declarations are all there. @throws Error two of them are the same way in */
  static of(routes: readonly Route[]): RouteTable {
    const table = new RouteTable(async () => []);
    for (const route of routes) table.add({ method: route.method, path: route.path, group: "", route });
    return table;
  }

  /** A table that loads groups when they are needed. */
  static indexed(index: RouteIndex, load: LoadGroup): RouteTable {
    const table = new RouteTable(load);
    let group = "";
    for (const line of index.split("\n")) {
      const space = line.indexOf(" ");
      if (space < 0) group = line;
      else table.add({ method: line.slice(0, space) as Method, path: line.slice(space + 1), group, route: undefined });
    }
    return table;
  }

  private add(entry: Entry): void {
    const key = keyOf(entry);
    if (this.entries.has(key)) throw new Error(`${key} is declared twice`);
    this.entries.set(key, entry);
    let node = this.root;
    for (const segment of entry.path.split("/")) node = below(node, segment);
    node.methods ??= new Map();
    node.methods.set(entry.method, entry);
  }

  /** What a request of that method and raw path is for. A route for GET is one for HEAD. */
  find(method: string, path: string): Entry | undefined {
    const wanted = (method === "HEAD" ? "GET" : method) as Method;
    return match(this.root, path.split("/"), 0, (methods) => methods.get(wanted));
  }

  /** The declaration of what was found; undefined when this server, as it is set up, has none. */
  routeOf(entry: Entry): Route | undefined | Promise<Route | undefined> {
    if (entry.route || entry.group === "") return entry.route;
    return this.load(entry.group).then(() => entry.route);
  }

  private async load(group: string): Promise<void> {
    for (const route of await this.loadGroup(group)) {
      const entry = this.entries.get(keyOf(route));
      if (entry?.group !== group) throw new Error(`${keyOf(route)} stands in no index of ${group}`);
      entry.route = route;
    }
  }

  /** The methods that any route answers at that raw path. */
  async methodsAt(path: string): Promise<Set<string>> {
    const entries: Entry[] = [];
    match(this.root, path.split("/"), 0, (methods) => {
      entries.push(...methods.values());
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

/** One way in, and its declaration once that is loaded. */
export interface Entry {
  readonly method: Method;
  readonly path: string;
  readonly group: string;
  route: Route | undefined;
}

interface Node {
  readonly literals: Map<string, Node>;
  parameter?: Node;
  rest?: Node;
  methods?: Map<Method, Entry>;
}

function keyOf({ method, path }: Pick<Route, "method" | "path">): string {
  return `${method} ${path}`;
}

function below(node: Node, segment: string): Node {
  if (segment === "*") {
    node.rest ??= { literals: new Map() };
    return node.rest;
  }
  if (segment.startsWith(":")) {
    node.parameter ??= { literals: new Map() };
    return node.parameter;
  }
  const known = node.literals.get(segment);
  if (known) return known;
  const made: Node = { literals: new Map() };
  node.literals.set(segment, made);
  return made;
}

/** A word wins over a parameter and that over the rest of a path; what leads nowhere is left again. */
function match<T>(
  node: Node,
  segments: readonly string[],
  at: number,
  take: (methods: Map<Method, Entry>) => T | undefined,
): T | undefined {
  const segment = segments[at];
  if (segment === undefined) return node.methods && take(node.methods);
  const literal = node.literals.get(segment);
  const named = literal && match(literal, segments, at + 1, take);
  if (named !== undefined) return named;
  // No one can be called `api`: an owner's route that fits an address below it was not meant.
  const isApi = at === 1 && segment === "api" && segments.length > 2;
  if (segment !== "" && node.parameter && !isApi) {
    const found = match(node.parameter, segments, at + 1, take);
    if (found !== undefined) return found;
  }
  // A slash at the end says nothing.
  if (segment === "" && at === segments.length - 1 && at > 1 && node.methods) {
    const found = take(node.methods);
    if (found !== undefined) return found;
  }
  return node.rest?.methods && take(node.rest.methods);
}
