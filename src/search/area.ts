import type { Area } from "../area.ts";
import { searchErrorWords } from "./error-words.ts";
import { SearchService } from "./service.ts";

declare module "../services.ts" {
  interface Services {
    readonly codeSearch: SearchService;
  }
}

/** Code search across all repositories. */
export const searchArea: Area = {
  name: "search",
  errorWords: searchErrorWords,
  open: ({ access, config, db, jobs, live, outbox, pool }, { folders, refs, repos, storage }) => {
    const codeSearch = new SearchService(
      { access, db, folders, jobs, live, pool, refs, repos, storage },
      {
        dataDir: config.data,
        isEnabled: config["search.enabled"],
        maxFileBytes: config["search.max_file_kib"] * 1024,
      },
    );
    outbox.add(codeSearch);
    return {
      services: { codeSearch },
      start: () => codeSearch.ensureIndex(),
      sweep: () => codeSearch.ensureIndex(),
    };
  },
};
