#include <omp.h>
#include <stdio.h>
#include <string.h>
#include <stdlib.h>
static char s[1 << 20], id[3][64], name[64];
int main(void) {
  fread(s, 1, sizeof s - 1, stdin);
  double sum = 0, w = atof(strstr(s, "\"work\":") + 7);
  char *p = s;
  for (int i = 0; i < 3; i++) { p = strstr(p, "\"id\":\"") + 6; sscanf(p, "%63[^\"]", id[i]); }
  sscanf(strstr(s, "\"name\":\"") + 8, "%63[^\"]", name);
  omp_set_num_threads(4);
#pragma omp parallel for reduction(+ : sum) schedule(dynamic)
  for (int i = 0; i < 100000; i++) sum += i % 7;
  if (sum > 0) printf("{\"problem\":\"flex\",\"instance\":\"%s\",\"algorithm\":\"x\",\"intervals\":[{\"start\":0,\"end\":%g,\"slots\":{\"%s\":1,\"%s\":1}},{\"start\":%g,\"end\":%g,\"slots\":{\"%s\":1}}]}\n", name, w, id[0], id[1], w, 2 * w, id[2]);
}
