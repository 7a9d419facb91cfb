/**
 * Objects that the server does not need right after most starts: they are created, and their modules loaded, on first
 * use.
 */

type Gift = (made: never) => void;

/** The values given to stand-ins whose object does not exist yet. */
const gifts = new WeakMap<object, Gift[]>();

/**
 * Returns a stand-in that creates its object on first use and forwards everything to it.
 * `onDemand(() => new (require("./service.ts") as typeof import("./service.ts")).StarService(db))`
 */
export function onDemand<Made extends object>(make: () => Made): Made {
  const { one } = eachOnDemand(() => ({ one: make() }), { one: true });
  return one;
}

/**
 * As `onDemand`, for objects that are created together, by name. @param make called once, when the first one is used
 */
export function eachOnDemand<Made extends Readonly<Record<keyof Made, object>>>(
  make: () => Made,
  names: Readonly<Record<keyof Made, true>>,
): Made {
  const standIns: Partial<Made> = {};
  let made: Made | undefined;
  const all = (): Made => {
    if (made) return made;
    made = make();
    // All of them at once: they refer to each other directly, not through their stand-ins.
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
      // The bound method accesses its object's fields directly, without passing through this proxy.
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

/** Calls `give` with the object once it exists, without causing it to be created. */
export function whenMade<Made extends object>(object: Made, give: (made: Made) => void): void {
  const waiting = gifts.get(object);
  if (waiting) waiting.push(give);
  else give(object);
}

/** Whether the object exists: it is no stand-in, or a stand-in that has been used. */
export function isMade(object: object): boolean {
  return !gifts.has(object);
}
