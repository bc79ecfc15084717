# The line of Node.js that the suites of the night run on. By digest: docs/deploying.md.
ARG NODE_IMAGE=node:24-bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json ./
COPY packages/client/package.json packages/client/
RUN npm ci --include=dev --no-audit --no-fund
COPY . .
RUN npm run build && npm prune --omit=dev --no-audit --no-fund
# What is in it, for whoever asks for a list of its parts. npm names what is declared and not there as missing, and leaves out
# with --omit=dev what a development package needs as well (koa, pg).
RUN npm pkg delete devDependencies workspaces && npm sbom --sbom-format=cyclonedx > sbom.json

# One image for every process: the API by default, the worker and the deploy step by another command.
FROM ${NODE_IMAGE}
# The admin port is for probes and Prometheus in other containers; no port of it is published.
ENV NODE_ENV=production HOST=0.0.0.0 ADMIN_HOST=0.0.0.0
WORKDIR /app
COPY --from=build /app/package.json /app/sbom.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY --from=build /app/bin ./bin
RUN ln -s /app/bin/aps.mjs /usr/local/bin/aps
USER node
EXPOSE 4000
CMD ["node", "dist/api/main.js"]
