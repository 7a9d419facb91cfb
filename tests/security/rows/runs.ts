import type { Row } from "../route-table.ts";

const reads: Row = { surface: "api", who: "anyone", level: "read", scopes: ["repository"], at: "0" };
const readsSignedIn: Row = { ...reads, who: "user" };
const writes: Row = { ...readsSignedIn, level: "write" };
const member: Row = { surface: "api", who: "user", scopes: ["organization"], organization: "member" };
const own: Row = { surface: "api", who: "user", scopes: ["user"], noPublicOnly: true };
const siteAdmin: Row = { surface: "api", who: "admin", scopes: ["admin"], noPublicOnly: true };
const publicApi: Row = { surface: "api", who: "anyone", at: "0" };
const open: Row = { surface: "open", who: "anyone", at: "0" };
const bytes: Row = { surface: "bytes", who: "anyone", level: "read", scopes: ["repository"], at: "a.yml" };

const readsPage: Row = { surface: "page", who: "anyone", level: "read", at: "0" };
const writesPage: Row = { surface: "page", who: "user", level: "write", at: "0" };
const administersPage: Row = { surface: "page", who: "user", level: "admin" };

const R = "/api/v1/repos/:owner/:repo/actions";
const PAGES = "/:owner/:repo/actions";
const RUN = `${PAGES}/runs/:run`;
const JOB = `${RUN}/jobs/:job`;
const OLDER = "/api/actions_pipeline/_apis/pipelines/workflows/:run";
const NEWER = "/twirp/github.actions.results.api.v1.ArtifactService";

/** Runs, their jobs, and what they leave. */
export const runRows: Readonly<Record<string, Row>> = {
  [`GET ${R}/runs`]: readsSignedIn,
  [`GET ${R}/jobs`]: readsSignedIn,
  "GET /api/v1/orgs/:org/actions/runs": member,
  "GET /api/v1/orgs/:org/actions/jobs": member,
  "GET /api/v1/user/actions/runs": own,
  "GET /api/v1/user/actions/jobs": own,
  "GET /api/v1/admin/actions/runs": siteAdmin,
  "GET /api/v1/admin/actions/jobs": siteAdmin,
  [`GET ${R}/runs/:run`]: reads,
  [`GET ${R}/runs/:run/attempts/:attempt`]: reads,
  [`GET ${R}/runs/:run/attempts/:attempt/jobs`]: reads,
  [`GET ${R}/runs/:run/jobs`]: reads,
  [`GET ${R}/runs/:run/artifacts`]: reads,
  [`GET ${R}/jobs/:job_id`]: readsSignedIn,
  [`GET ${R}/jobs/:job_id/logs`]: readsSignedIn,
  [`GET ${R}/tasks`]: reads,
  [`POST ${R}/runs/:run/rerun`]: writes,
  [`POST ${R}/runs/:run/rerun-failed-jobs`]: writes,
  [`POST ${R}/runs/:run/jobs/:job_id/rerun`]: writes,
  [`POST ${R}/runs/:run/cancel`]: writes,
  [`POST ${R}/runs/:run/approve`]: writes,
  [`DELETE ${R}/runs/:run`]: writes,
  [`GET ${R}/workflows`]: readsSignedIn,
  [`GET ${R}/workflows/:workflow_id`]: readsSignedIn,
  [`GET ${R}/workflows/:workflow_id/runs`]: readsSignedIn,
  [`PUT ${R}/workflows/:workflow_id/disable`]: writes,
  [`PUT ${R}/workflows/:workflow_id/enable`]: writes,
  [`POST ${R}/workflows/:workflow_id/dispatches`]: writes,
  [`GET ${R}/artifacts`]: reads,
  [`GET ${R}/artifacts/:artifact_id`]: reads,
  [`DELETE ${R}/artifacts/:artifact_id`]: writes,
  [`GET ${R}/artifacts/:artifact_id/zip`]: reads,
  // Its address is the key.
  [`GET ${R}/artifacts/:artifact_id/zip/raw`]: publicApi,
  "GET /:owner/:repo/actions/workflows/:workflow/badge.svg": bytes,
  "GET /:owner/:repo/badges/workflows/:workflow/badge.svg": bytes,
  // What jobs ask, by a token of their own.
  [`POST ${OLDER}/artifacts`]: open,
  [`GET ${OLDER}/artifacts`]: open,
  [`PATCH ${OLDER}/artifacts`]: open,
  [`PUT ${OLDER}/artifacts/:artifact/upload`]: open,
  [`GET ${OLDER}/artifacts/:artifact/download_url`]: open,
  [`GET ${OLDER}/artifacts/:artifact/download`]: open,
  [`PUT ${OLDER}/jobs/:job/steps/:step/summary`]: open,
  [`POST ${NEWER}/CreateArtifact`]: open,
  [`POST ${NEWER}/FinalizeArtifact`]: open,
  [`POST ${NEWER}/ListArtifacts`]: open,
  [`POST ${NEWER}/GetSignedArtifactURL`]: open,
  [`POST ${NEWER}/DeleteArtifact`]: open,
  [`PUT ${NEWER}/UploadArtifact`]: open,
  [`GET ${NEWER}/DownloadArtifact`]: open,
  [`GET ${PAGES}`]: readsPage,
  [`POST ${PAGES}/run`]: writesPage,
  [`GET ${PAGES}/workflow-dispatch-inputs`]: writesPage,
  [`POST ${PAGES}/enable`]: administersPage,
  [`POST ${PAGES}/disable`]: administersPage,
  [`POST ${PAGES}/approve-all-checks`]: writesPage,
  [`GET ${RUN}`]: readsPage,
  [`GET ${RUN}/attempts/:attempt`]: readsPage,
  [`GET ${JOB}`]: readsPage,
  [`POST ${RUN}`]: readsPage,
  [`POST ${RUN}/attempts/:attempt`]: readsPage,
  [`POST ${JOB}`]: readsPage,
  [`GET ${JOB}/rows`]: readsPage,
  [`GET ${JOB}/follow`]: readsPage,
  [`GET ${JOB}/logs`]: { ...bytes, at: "0" },
  [`GET ${RUN}/workflow`]: readsPage,
  [`GET ${RUN}/artifacts/:name`]: { ...bytes, at: "0" },
  [`DELETE ${RUN}/artifacts/:name`]: writesPage,
  [`POST ${RUN}/artifacts/:name/delete`]: writesPage,
  [`POST ${RUN}/cancel`]: writesPage,
  [`POST ${RUN}/approve`]: writesPage,
  [`POST ${RUN}/delete`]: writesPage,
  [`POST ${RUN}/rerun`]: writesPage,
  [`POST ${RUN}/rerun-failed`]: writesPage,
  [`POST ${JOB}/rerun`]: writesPage,
};
