# syntax=docker/dockerfile:1
# scripts/build-release.sh holds the steps, so that they also run where there is no container engine.
FROM node:24-bookworm-slim AS build
WORKDIR /src
COPY . .
RUN scripts/build-release.sh /release

FROM node:24-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
# glibc gives large buffers back to the system at once; by default it keeps more than 100 MB of them.
ENV MALLOC_MMAP_THRESHOLD_=262144
RUN mkdir /data && chown 1000:1000 /data
WORKDIR /app
COPY --from=build /release .
RUN ln -s /app/dist/cli.js /usr/local/bin/allclear && chmod +x dist/cli.js
# The number of the user node: Kubernetes does not know of a name whether it is root.
USER 1000:1000
VOLUME /data
EXPOSE 3000
# No HEALTHCHECK: a worker has no port unless METRICS_PORT is set. compose.yaml has that of the service.
ENTRYPOINT ["allclear"]
CMD ["start"]
