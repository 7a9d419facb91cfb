import type { Delivery, Webhook } from "../../src/webhooks/types.ts";
import { OpenButton, SubmitButton } from "../components/button.tsx";
import { Dialog, DialogActions } from "../components/dialog.tsx";
import { type PageOf, Pagination } from "../components/navigation.tsx";
import { Badge, Card, EmptyState } from "../components/surface.tsx";
import { TIME, Time } from "../components/time.tsx";
import { useWords } from "../language.ts";
import type { PlaceProps } from "../settings-place.tsx";
import { HookFields, type HookForm } from "./form.tsx";
import { HookFrame } from "./place.tsx";
import { typeNames } from "./type-names.ts";
import { webhooksWords } from "./words/index.ts";

/** `GET/POST …/hooks/{type}/new`. */
export function NewHookPage({ place, action, form }: { place: PlaceProps; action: string; form: HookForm }) {
  const t = useWords(webhooksWords);
  return (
    <HookFrame place={place}>
      <Card title={t("newOf", { type: typeNames[form.type] })}>
        <HookFields action={action} form={form} submit={t("add")} />
      </Card>
    </HookFrame>
  );
}

/** `GET …/hooks/{id}`: the webhook and its deliveries. */
export function HookPage(props: {
  place: PlaceProps;
  hook: Webhook;
  form: HookForm;
  deliveries: readonly Delivery[];
  pages: PageOf;
}) {
  const t = useWords(webhooksWords);
  const { deliveries, form, hook, pages, place } = props;
  const { base } = place;
  return (
    <HookFrame place={place}>
      <Card title={`${typeNames[hook.type]} ${hook.name}`}>
        <HookFields action={`${base}/${hook.type}/${hook.id}`} form={form} submit={t("save")} />
      </Card>
      <Card
        title={t("deliveries")}
        flush
        actions={
          place.of.kind === "repository" ? (
            <form method="post" action={`${base}/${hook.id}/test`}>
              <SubmitButton small>{t("test")}</SubmitButton>
            </form>
          ) : undefined
        }
      >
        {deliveries.length === 0 ? (
          <EmptyState icon="webhook" title={t("noDeliveries")}>
            {t("noDeliveriesHint")}
          </EmptyState>
        ) : (
          <ul class="list">
            {deliveries.map((delivery) => (
              <DeliveryRow delivery={delivery} action={`${base}/${hook.id}/replay/${delivery.uuid}`} />
            ))}
          </ul>
        )}
      </Card>
      <Pagination of={pages} />
      <p>
        <OpenButton kind="danger" opens="delete-hook">
          {t("delete")}
        </OpenButton>
      </p>
      <Dialog id="delete-hook" title={t("delete")}>
        <form class="form" method="post" action={`${base}/delete`}>
          <input type="hidden" name="id" value={String(hook.id)} />
          <p>{t("deleteHint")}</p>
          <DialogActions label={t("delete")} danger />
        </form>
      </Dialog>
    </HookFrame>
  );
}

function DeliveryRow({ delivery, action }: { delivery: Delivery; action: string }) {
  const t = useWords(webhooksWords);
  const { createdAt, eventType, payload, request, response, sentAt, uuid } = delivery;
  return (
    <li>
      <details>
        <summary>
          <OutcomeBadge delivery={delivery} /> <code>{eventType}</code> <span class="muted">{uuid}</span>{" "}
          <span class="muted">
            <Time at={sentAt ?? createdAt} text={t("at", { time: TIME })} />
          </span>
        </summary>
        <div class="form">
          {payload === undefined ? null : (
            <form method="post" action={action}>
              <SubmitButton small>{t("redeliver")}</SubmitButton>
            </form>
          )}
          <h3>{t("request")}</h3>
          <Sent
            first={request ? `${request.method} ${request.url}` : ""}
            headers={request?.headers ?? {}}
            body={request?.body ?? payload ?? ""}
          />
          <h3>{t("response")}</h3>
          <Sent
            first={response && response.status > 0 ? String(response.status) : t("noAnswer")}
            headers={response?.headers ?? {}}
            body={response?.body ?? ""}
          />
        </div>
      </details>
    </li>
  );
}

function OutcomeBadge({ delivery: { isSent, response, succeeded } }: { delivery: Delivery }) {
  const t = useWords(webhooksWords);
  if (!isSent || !response) return <Badge>{t("waiting")}</Badge>;
  return (
    <Badge tone={succeeded ? "ok" : "danger"} icon={succeeded ? "check" : "x"}>
      {response.status > 0 ? String(response.status) : t("noAnswer")}
    </Badge>
  );
}

/** Longer ones are stored, but not shown here. */
const MAX_SHOWN = 16 * 1024;

function Sent({ first, headers, body }: { first: string; headers: Readonly<Record<string, string>>; body: string }) {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const shown = body.length > MAX_SHOWN ? `${body.slice(0, MAX_SHOWN)}…` : body;
  return <pre class="trace">{[first, ...lines, "", shown].join("\n")}</pre>;
}
