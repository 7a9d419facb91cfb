import { renderSVG } from "uqr";
import { readFields } from "../../src/http/body.ts";
import { json } from "../../src/http/respond.ts";
import { type Call, type Route, signedIn } from "../../src/http/route.ts";
import { ownSecondFactor } from "../../src/identity/access.ts";
import { Failure, TooManyRequests } from "../../src/kernel/errors.ts";
import type { WebServices } from "../area.ts";
import { readForm, refusalOf, refusalText } from "../form-data.ts";
import { identityWords } from "../identity/words/index.ts";
import { trustHtml } from "../jsx/raw.ts";
import type { Children } from "../jsx/types.ts";
import { wordsFor } from "../language.ts";
import { attemptOf, redirectAfterPost, shellOf, show } from "../visit.ts";
import { EnrolPage, TwoFactorCards } from "./settings.tsx";
import { twoFactorWords } from "./words/index.ts";

const PAGE = "/user/settings/security";
const ENROL = `${PAGE}/two_factor/enroll`;
const ANSWER_BYTES = 64 << 10;

/** Enables and disables second factors. */
export function twoFactorSettingsPages(services: WebServices): Route[] {
  const page = { surface: "page", access: ownSecondFactor } as const;
  const say = (call: Call) => wordsFor(call, twoFactorWords);
  return [
    { ...page, method: "GET", path: ENROL, handle: (call) => enrolPage(services, call) },
    { ...page, method: "POST", path: ENROL, handle: (call) => enrol(services, call) },
    {
      ...page,
      method: "POST",
      path: `${PAGE}/two_factor/disable`,
      handle: async (call) => {
        const password = (await readForm(call)).exact("password");
        const act = () => services.twoFactor.disable(call.principal, password, attemptOf(call));
        return afterwards(services, call, act, say(call)("passcodesDisabled"));
      },
    },
    {
      ...page,
      method: "POST",
      path: `${PAGE}/two_factor/regenerate_scratch`,
      handle: async (call) => {
        const password = (await readForm(call)).exact("password");
        const act = () => services.twoFactor.regenerateRecoveryCodes(call.principal, password, attemptOf(call));
        return afterwards(services, call, act, undefined);
      },
    },
    {
      ...page,
      method: "POST",
      path: `${PAGE}/webauthn/delete`,
      handle: async (call) => {
        const form = await readForm(call);
        const password = form.exact("password");
        const act = () => services.passkeys.remove(call.principal, form.number("id") ?? 0, password, attemptOf(call));
        return afterwards(services, call, act, say(call)("passkeyRemoved"));
      },
    },
    {
      ...page,
      method: "POST",
      path: `${PAGE}/webauthn/request_register`,
      handle: (call) =>
        asJson(call, async () => {
          const { fields } = await readFields(call, ANSWER_BYTES);
          return services.passkeys.beginRegistration(call.principal, nameIn(fields));
        }),
    },
    {
      ...page,
      method: "POST",
      path: `${PAGE}/webauthn/register`,
      handle: (call) =>
        asJson(call, async () => {
          const { fields } = await readFields(call, ANSWER_BYTES);
          await services.passkeys.register(call.principal, nameIn(fields), fields["credential"]);
          return { redirect: PAGE };
        }),
    },
  ];
}

/** The cards of the security page. */
export function twoFactorCards(services: WebServices, call: Call): Children {
  const { twoFactor, passkeys } = services;
  const user = signedIn(call);
  const newCodes = twoFactor.takeNewCodes(call.principal);
  return (
    <TwoFactorCards
      isRequired={services.identity.accountProblem(user) === "two-factor-required"}
      hasPasscodes={twoFactor.factorsOf(user.id).passcodes}
      passkeys={passkeys.list(call.principal).map(({ lastUsedAt, ...key }) => ({
        ...key,
        ...(lastUsedAt === undefined ? {} : { usedAt: lastUsedAt }),
      }))}
      takesPasskeys={passkeys.isAvailable}
      hasPassword={user.hasPassword}
      codesLeft={twoFactor.recoveryCodesLeft(call.principal, user.id)}
      {...(newCodes ? { newCodes } : {})}
    />
  );
}

const nameIn = (fields: Readonly<Record<string, unknown>>) =>
  typeof fields["name"] === "string" ? fields["name"].trim() : "";

async function enrolPage(services: WebServices, call: Call): Promise<Response> {
  const user = signedIn(call);
  if (services.twoFactor.factorsOf(user.id).passcodes) return redirectAfterPost(services, call, PAGE);
  const { secret, address } = await services.twoFactor.beginEnrolment(call.principal);
  const view = (
    <EnrolPage
      shell={shellOf(services, call)}
      // Black on white in every theme, because cameras need that.
      picture={trustHtml(renderSVG(address, { border: 4, pixelSize: 4 }))}
      secret={secret.reveal()}
    />
  );
  return show(call, view, { headers: { "cache-control": "no-store" } });
}

/** A wrong code returns to the same QR code (contract identity.md 5.7). */
async function enrol(services: WebServices, call: Call): Promise<Response> {
  const passcode = (await readForm(call)).text("passcode");
  try {
    await services.twoFactor.enrol(call.principal, passcode);
  } catch (error) {
    const text = refusalOf(call, error);
    return redirectAfterPost(services, call, ENROL, { kind: "error", text });
  }
  const text = wordsFor(call, twoFactorWords)("passcodesEnabled");
  return redirectAfterPost(services, call, PAGE, { kind: "success", text });
}

/** Does the work and redirects with a message about the outcome. */
async function afterwards(
  services: WebServices,
  call: Call,
  act: () => Promise<void>,
  done: string | undefined,
): Promise<Response> {
  const back = (kind: "success" | "error", text: string) => redirectAfterPost(services, call, PAGE, { kind, text });
  try {
    await act();
  } catch (error) {
    if (error instanceof TooManyRequests)
      return back("error", wordsFor(call, identityWords)("tooManyAttempts", { count: error.retryAfterSeconds }));
    return back("error", refusalOf(call, error));
  }
  return done === undefined ? redirectAfterPost(services, call, PAGE) : back("success", done);
}

async function asJson(call: Call, make: () => Promise<unknown>): Promise<Response> {
  try {
    return json(await make(), 200, { "cache-control": "no-store" });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return json({ message: refusalText(call, error) }, error.status);
  }
}
