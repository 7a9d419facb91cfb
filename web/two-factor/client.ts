/** Passkeys: the only part of signing in that needs JavaScript. */
import { on, onArrival, say } from "../components/client/dom.ts";

/** The server's error message, in the visitor's language. */
class Refused extends Error {}

async function asked(url: string, body?: unknown): Promise<Record<string, unknown>> {
  const headers = { accept: "application/json", "content-type": "application/json" };
  const reply = await fetch(
    url,
    body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) },
  );
  const answer: Record<string, unknown> = await reply.json().catch(() => ({}));
  if (!reply.ok) throw new Refused(typeof answer["message"] === "string" ? answer["message"] : "");
  return answer;
}

/** Adds the fields of the form around the button to the request. */
function withFields(url: string, form: HTMLFormElement | null): string {
  const query = new URLSearchParams();
  for (const name of ["remember", "redirect_to"]) {
    const field = form?.elements.namedItem(name);
    if (field instanceof HTMLInputElement && (field.type !== "checkbox" || field.checked)) query.set(name, field.value);
  }
  return query.size === 0 ? url : `${url}?${query}`;
}

async function signIn(button: HTMLElement): Promise<void> {
  const { options = "", answer = "" } = button.dataset;
  // The server produces what the browser expects: both use WebAuthn's own JSON.
  const request = (await asked(options)) as unknown as PublicKeyCredentialRequestOptionsJSON;
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(request);
  const credential = await navigator.credentials.get({ publicKey });
  const form = document.querySelector<HTMLFormElement>(button.dataset["form"] ?? "form.none");
  go(await asked(withFields(answer, form), credential));
}

async function register(form: HTMLFormElement): Promise<void> {
  const { options = "", answer = "" } = form.dataset;
  const name = String(new FormData(form).get("name") ?? "");
  const request = (await asked(options, { name })) as unknown as PublicKeyCredentialCreationOptionsJSON;
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(request);
  const credential = await navigator.credentials.create({ publicKey });
  go(await asked(answer, { name, credential }));
}

function go({ redirect }: Record<string, unknown>): void {
  location.assign(typeof redirect === "string" ? redirect : "/");
}

/** Shows and announces errors; cancelling the browser's dialog shows nothing. */
async function saying(element: HTMLElement, act: () => Promise<void>): Promise<void> {
  const place = document.querySelector<HTMLElement>("[data-passkey-error]");
  if (place) place.hidden = true;
  try {
    await act();
  } catch (error) {
    if (error instanceof Error && error.name === "NotAllowedError") return;
    const text = (error instanceof Refused && error.message) || (element.dataset["failed"] ?? "");
    say(text);
    if (!place) return;
    place.hidden = false;
    place.textContent = text;
  }
}

on("click", "[data-passkey]", (button) => void saying(button, () => signIn(button)));
on("submit", "form[data-passkey-registration]", (form, event) => {
  event.preventDefault();
  if (form instanceof HTMLFormElement) void saying(form, () => register(form));
});
onArrival(() => {
  if (typeof PublicKeyCredential === "function" && "parseRequestOptionsFromJSON" in PublicKeyCredential)
    for (const part of document.querySelectorAll<HTMLElement>("[data-needs-passkeys]")) part.hidden = false;
});
