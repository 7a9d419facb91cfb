import { type ImportPart, type ImportServiceName, importServices, partsOfService } from "../../src/imports/types.ts";
import { CancelLink, SubmitButton } from "../components/button.tsx";
import {
  CheckField,
  type Choice,
  ErrorSummary,
  FormActions,
  type FormState,
  TextArea,
  TextField,
} from "../components/form.tsx";
import { Tabs } from "../components/navigation.tsx";
import { OwnerAndName } from "../components/owner-and-name.tsx";
import { Card } from "../components/surface.tsx";
import { useWords } from "../language.ts";
import { PageFrame, type Shell } from "../layout/shell.tsx";
import { withQuery } from "../links.ts";
import { partLabels } from "./part-labels.ts";
import { serviceNames } from "./service-names.ts";
import { importsWords } from "./words/index.ts";

export type ImportField =
  | "clone_addr"
  | "auth_username"
  | "auth_password"
  | "auth_token"
  | "uid"
  | "repo_name"
  | "description"
  | "mirror_interval"
  | "lfs_endpoint";

export interface ImportFormProps {
  readonly shell: Shell;
  readonly form: FormState<ImportField>;
  /** Accounts the viewer may create repositories for; `value` is the id. */
  readonly owners: readonly Choice[];
  readonly service: ImportServiceName;
  /** The organization requested by name; empty: none. */
  readonly org: string;
  readonly parts: readonly ImportPart[];
  readonly isPrivate: boolean;
  /** Undefined: mirrors are disabled. */
  readonly isMirror: boolean | undefined;
}

/** Services where a token enables more than usual. */
const TOKEN_HINTS: Readonly<Partial<Record<ImportServiceName, "tokenHintGitHub" | "tokenHintGitLab">>> = {
  github: "tokenHintGitHub",
  gitlab: "tokenHintGitLab",
};

/** `GET/POST /repo/migrate`. */
export function ImportPage({ form: { errors, values }, ...props }: ImportFormProps) {
  const t = useWords(importsWords);
  const labels = {
    clone_addr: t("address"),
    auth_username: t("username"),
    auth_password: t("password"),
    auth_token: t("token"),
    uid: t("owner"),
    repo_name: t("name"),
    description: t("description"),
    mirror_interval: t("interval"),
    lfs_endpoint: t("lfsEndpoint"),
  };
  const { service } = props;
  return (
    <PageFrame shell={props.shell} title={[t("title")]} width="narrow" noIndex>
      <h1>{t("title")}</h1>
      <Tabs
        label={t("service")}
        tabs={importServices.map((each) => ({
          label: serviceNames[each],
          href: withQuery("/repo/migrate", { service_type: each, org: props.org || undefined }),
          current: each === service,
        }))}
      />
      <form class="form" method="post" action="/repo/migrate">
        <input type="hidden" name="service" value={service} />
        <ErrorSummary errors={errors} labels={labels} />
        <TextField
          name="clone_addr"
          label={labels.clone_addr}
          value={values?.clone_addr}
          error={errors?.clone_addr}
          hint={t("addressHint")}
          maxLength={2048}
          inputmode="url"
          autocomplete="off"
          autofocus
          required
          code
        />
        <details open={Boolean(values?.auth_username || errors?.auth_username)}>
          <summary>{t("credentials")}</summary>
          <div class="form">
            <p class="muted">{t("credentialsAbout")}</p>
            <TextField
              name="auth_username"
              label={labels.auth_username}
              value={values?.auth_username}
              maxLength={1024}
              autocomplete="off"
              code
            />
            <TextField
              name="auth_password"
              label={labels.auth_password}
              type="password"
              maxLength={1024}
              autocomplete="off"
            />
            <TextField
              name="auth_token"
              label={labels.auth_token}
              hint={t(TOKEN_HINTS[service] ?? "tokenHint")}
              type="password"
              maxLength={4096}
              autocomplete="off"
            />
          </div>
        </details>
        <OwnerAndName labels={labels} owners={props.owners} form={{ errors, values }} />
        <CheckField name="private" label={t("private")} hint={t("privateHint")} checked={props.isPrivate} />
        <TextArea
          name="description"
          label={labels.description}
          value={values?.description}
          error={errors?.description}
          rows={2}
          maxLength={2048}
        />
        <Card title={t("what")}>
          <div class="form">
            <p class="muted">{t("whatAbout")}</p>
            {partsOfService(service).map((part) => (
              <CheckField name={part} label={t(partLabels[part])} checked={props.parts.includes(part)} />
            ))}
            <TextField
              name="lfs_endpoint"
              label={labels.lfs_endpoint}
              value={values?.lfs_endpoint}
              error={errors?.lfs_endpoint}
              hint={t("lfsEndpointHint")}
              maxLength={2048}
              inputmode="url"
              autocomplete="off"
              code
            />
          </div>
        </Card>
        {props.isMirror === undefined ? null : (
          <Card title={t("mirroring")}>
            <div class="form">
              <CheckField name="mirror" label={t("mirror")} hint={t("mirrorHint")} checked={props.isMirror} />
              <TextField
                name="mirror_interval"
                label={labels.mirror_interval}
                value={values?.mirror_interval}
                error={errors?.mirror_interval}
                hint={t("intervalHint")}
                maxLength={100}
                autocomplete="off"
                code
              />
            </div>
          </Card>
        )}
        <FormActions>
          <SubmitButton kind="primary">{t("begin")}</SubmitButton>
          <CancelLink href="/" />
        </FormActions>
      </form>
    </PageFrame>
  );
}
