interface Htmx {
  ajax(verb: string, path: string, options: { target: Element; swap: string }): Promise<void>;
}

/** Replaces an element by what the address answers. Only htmx may make elements of an answer (Trusted Types). */
export async function fetchInto(element: Element, address: string): Promise<void> {
  const { htmx } = window as Window & { htmx?: Htmx };
  await htmx?.ajax("GET", address, { target: element, swap: "outerHTML" });
}
