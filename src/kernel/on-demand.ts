/**
 * Things that most starts of the server do without: they are made, and their modules loaded, when something of them is
 * first asked for.
 */

type Gift = (made: never) => void;

/** What stand-ins have been given for their object, which is not made yet. */
const gifts = new WeakMap<object, Gift[]>();

/**
 * Stands for an object until something of it is asked for, and passes everything on to it from then on.
 * `onDemand(() => new (require("./service.ts") as typeof import("./service.ts")).StarService(db))`
 */
export function onDemand<Made extends object>(make: () => Made): Made {
  const { one } = eachOnDemand(() => ({ one: make() }), { one: true });
  return one;
}

/** The same for things that are made together, by name. @param make is called once, for the first that is asked for */
export function eachOnDemand<Made extends Readonly<Record<keyof Made, object>>>(
  make: () => Made,
  names: Readonly<Record<keyof Made, true>>,
): Made {
  const standIns: Partial<Made> = {};
  let made: Made | undefined;
  const all = (): Made => {
    if (made) return made;
    made = make();
    // All of them at once: they know each other, and not their stand-ins.
    for (const name of Object.keys(names) as (keyof Made)[]) hand(standIns[name], made[name]);
    return made;
  };
  for (const name of Object.keys(names) as (keyof Made)[]) standIns[name] = standIn(() => all()[name]);
  return standIns as Made;
}

function standIn<Made extends object>(made: () => Made): Made {
  const methods = new Map<unknown, unknown>();
  const proxy = new Proxy({} as Made, {
    get(_, name) {
      const object = made();
      const value: unknown = Reflect.get(object, name);
      if (typeof value !== "function") return value;
      // Methods do not come by here for each field of their own object.
      const known = methods.get(value);
      if (known) return known;
      const method: unknown = value.bind(object);
      methods.set(value, method);
      return method;
    },
    set: (_, name, value) => Reflect.set(made(), name, value),
    has: (_, name) => Reflect.has(made(), name),
    getPrototypeOf: () => Reflect.getPrototypeOf(made()),
  });
  gifts.set(proxy, []);
  return proxy;
}

function hand(standIn: object | undefined, made: object): void {
  if (!standIn) return;
  const given = gifts.get(standIn) ?? [];
  gifts.delete(standIn);
  for (const give of given) (give as (made: object) => void)(made);
}

/** Gives something to an object without having it made for that. */
export function whenMade<Made extends object>(object: Made, give: (made: Made) => void): void {
  const waiting = gifts.get(object);
  if (waiting) waiting.push(give);
  else give(object);
}

/** Whether it is there: no stand-in, or one whose object was asked for something. */
export function isMade(object: object): boolean {
  return !gifts.has(object);
}
