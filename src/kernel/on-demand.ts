/**
 * Things that most starts of the server do without: they are made, and their modules loaded, when something of them is
 * first asked for.
 */

/** What stand-ins will do once their object is made. */
const waiting = new WeakMap<object, ((made: never) => void)[]>();

/**
 * Stands for an object until something of it is asked for, and passes everything on to it from then on.
 * `onDemand(() => new (require("./service.ts") as typeof import("./service.ts")).StarService(db))`
 */
export function onDemand<Made extends object>(make: () => Made): Made {
  let made: Made | undefined;
  const methods = new Map<unknown, unknown>();
  const object = () => {
    if (made) return made;
    made = make();
    for (const then of waiting.get(standIn) ?? []) (then as (made: Made) => void)(made);
    waiting.delete(standIn);
    return made;
  };
  const standIn = new Proxy({} as Made, {
    get(_, name) {
      const all = object();
      const value: unknown = Reflect.get(all, name);
      if (typeof value !== "function") return value;
      // A method of the object itself does not come by here for each of its fields.
      const known = methods.get(value);
      if (known) return known;
      const method: unknown = value.bind(all);
      methods.set(value, method);
      return method;
    },
    set: (_, name, value) => Reflect.set(object(), name, value),
    has: (_, name) => Reflect.has(object(), name),
  });
  waiting.set(standIn, []);
  return standIn;
}

/** Stand-ins for what is made together, by name. @param make is called once, for the first of them that is asked for */
export function eachOnDemand<Made extends Readonly<Record<keyof Made, object>>>(
  make: () => Made,
  names: Readonly<Record<keyof Made, true>>,
): Made {
  let made: Made | undefined;
  const all = () => {
    made ??= make();
    return made;
  };
  const standIns: Partial<Made> = {};
  for (const name of Object.keys(names) as (keyof Made)[]) standIns[name] = onDemand(() => all()[name]);
  return standIns as Made;
}

/** Gives something to an object that may not be made yet, without having it made. */
export function whenMade<Made extends object>(object: Made, give: (made: Made) => void): void {
  const later = waiting.get(object);
  if (later) later.push(give);
  else give(object);
}
