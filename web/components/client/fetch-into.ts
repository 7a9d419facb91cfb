interface Htmx {
  ajax(verb: string, path: string, options: { target: Element; swap: string }): Promise<void>;
}

/** Replaces an element with the response of a URL. Only htmx may create elements from a response (Trusted Types). */
export async function fetchInto(element: Element, address: string): Promise<void> {
  const { htmx } = window as Window & { htmx?: Htmx };
  await htmx?.ajax("GET", address, { target: element, swap: "outerHTML" });
}
