import type { Call, Route } from "../../src/http/route.ts";
import { Failure, TooManyRequests } from "../../src/kernel/errors.ts";
import { letsIn } from "../../src/oauth2/access.ts";
import type { WebServices } from "../area.ts";
import { readForm, refusalText } from "../form-data.ts";
import { wordsFor } from "../language.ts";
import { redirectAfterPost, shellOf, show } from "../visit.ts";
import { asking } from "./consent-routes.tsx";
import { DeviceCodePage, DeviceConsentPage } from "./device.tsx";
import { oauth2Words } from "./words/index.ts";

const PAGE = "/login/device";

/** Authorizes a program without a browser, by the code it displays. */
export function devicePages(services: WebServices): Route[] {
  const page = { surface: "page", access: letsIn } as const;
  return [
    {
      ...page,
      method: "GET",
      path: PAGE,
      handle: (call) => codePage(services, call, { userCode: (call.query.get("user_code") ?? "").slice(0, 20) }),
    },
    { ...page, method: "POST", path: PAGE, handle: (call) => ask(services, call) },
    { ...page, method: "POST", path: `${PAGE}/answer`, handle: (call) => answer(services, call) },
  ];
}

function codePage(services: WebServices, call: Call, form: { userCode: string; refused?: Failure }): Response {
  const { refused, userCode } = form;
  const errors = refused ? { user_code: refusalText(call, refused) } : undefined;
  const view = (
    <DeviceCodePage
      shell={shellOf(services, call)}
      form={{ values: { user_code: userCode }, ...(errors ? { errors } : {}) }}
    />
  );
  if (!refused) return show(call, view);
  const headers: Record<string, string> =
    refused instanceof TooManyRequests ? { "retry-after": String(refused.retryAfterSeconds) } : {};
  return show(call, view, { status: refused.status === 404 ? 422 : refused.status, headers });
}

async function ask(services: WebServices, call: Call): Promise<Response> {
  const userCode = (await readForm(call)).text("user_code").slice(0, 20);
  try {
    const device = services.oauth2Devices.find(call.principal, userCode);
    const view = (
      <DeviceConsentPage
        shell={shellOf(services, call)}
        application={asking(services, device.application)}
        userCode={device.userCode}
        scope={device.scope}
      />
    );
    return show(call, view);
  } catch (error) {
    return codePage(services, call, { userCode, refused: refusedCode(error) });
  }
}

async function answer(services: WebServices, call: Call): Promise<Response> {
  const form = await readForm(call);
  const isGranted = form.text("granted") === "true";
  const userCode = form.text("user_code").slice(0, 20);
  try {
    services.oauth2Devices.answer(call.principal, userCode, isGranted);
  } catch (error) {
    return codePage(services, call, { userCode, refused: refusedCode(error) });
  }
  const t = wordsFor(call, oauth2Words);
  return redirectAfterPost(services, call, PAGE, {
    kind: isGranted ? "success" : "info",
    text: isGranted ? t("deviceLetIn") : t("deviceRefused"),
  });
}

/** @throws the error itself when it is not about the code */
function refusedCode(error: unknown): Failure {
  if (error instanceof Failure && [404, 409, 429].includes(error.status)) return error;
  throw error;
}
