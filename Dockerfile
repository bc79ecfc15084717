FROM node:22-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
COPY packages/client/package.json packages/client/
RUN npm ci --include=dev --no-audit --no-fund
COPY . .
RUN npm run build && npm prune --omit=dev --no-audit --no-fund

# One image for every process: the API by default, the worker and the deploy step by another command.
FROM node:22-bookworm-slim
# The admin port is for probes and Prometheus in other containers; no port of it is published.
ENV NODE_ENV=production HOST=0.0.0.0 ADMIN_HOST=0.0.0.0
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY --from=build /app/bin ./bin
RUN ln -s /app/bin/aps.mjs /usr/local/bin/aps
USER node
EXPOSE 4000
CMD ["node", "dist/api/main.js"]
